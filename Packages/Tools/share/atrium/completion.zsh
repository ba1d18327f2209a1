#compdef @PROGRAM@
# Completion of @PROGRAM@ in Zsh. Made by "@PROGRAM@ completion zsh".
_@FUNCTION@() {
  local program=${(Q)words[1]} line
  local -a before lines whole parts
  ((CURRENT > 2)) && before=("${(@Q)words[2,CURRENT-1]}")
  lines=("${(@f)$("${program/#\~\//$HOME/}" @WORD@ zsh "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in "${(@)lines[3,-1]}"; do
    case $line in
      .*) whole+=("${line#.}") ;;
      +*) parts+=("${line#+}") ;;
    esac
  done
  local found=1
  (($#whole)) && _describe -t values value whole && found=0
  (($#parts)) && _describe -t values value parts -S '' && found=0
  [[ -n $lines[2] ]] && compset -P "${(b)lines[2]}"
  case $lines[1] in
    folders) _files -/ && found=0 ;;
    files) _files && found=0 ;;
    files\ *) _files -g "${lines[1]#files }(-.)" && found=0 ;;
  esac
  return found
}
if [[ ${funcstack[1]} == _@FUNCTION@ ]]; then _@FUNCTION@ "$@"; else compdef _@FUNCTION@ @PROGRAM@; fi
