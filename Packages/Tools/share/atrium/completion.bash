# Completion of @PROGRAM@ in Bash. Made by "@PROGRAM@ completion bash".
_@FUNCTION@_complete() {
  local program=${COMP_WORDS[0]} head='' path='' line drop action filter mixed=
  case $program in '~/'*) program=$HOME/${program#'~/'} ;; esac
  COMPREPLY=()
  {
    IFS= read -r head
    IFS= read -r path
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <("$program" @WORD@ bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  case $head in *nospace*) compopt -o nospace ;; esac
  case $head in
    folders*) action=-d filter= ;;
    files*) action=-f filter=${head#files} filter=${filter%% drop=*} filter=${filter# } ;;
    *) return 0 ;;
  esac
  drop=${head#* drop=} drop=${drop%% *}
  if ((${#COMPREPLY[@]} > 0)); then mixed=1; else compopt -o filenames; fi
  while IFS= read -r line; do
    if [ -d "${line/#'~/'/$HOME/}" ]; then
      [ -z "$mixed" ] || { line+=/ && compopt -o nospace; }
    elif [ -n "$filter" ] && [[ $line != $filter ]]; then
      continue
    fi
    line=${line:drop}
    if [ -n "$mixed" ]; then printf -v line %q "$line"; fi
    COMPREPLY+=("$line")
  done < <(compgen "$action" -- "$path")
}
complete -F _@FUNCTION@_complete @PROGRAM@
