/// The scripts that let shells ask a program for completions.
enum CompletionScript {
    /// Returns the script for a program in a shell.
    static func text(for program: String, in shell: CompletionAnswer.Shell) -> String {
        let function = String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return script(shell).replacing("@FUNCTION@", with: function).replacing("@PROGRAM@", with: program)
            .replacing("@WORD@", with: CompletionAnswer.word)
    }

    private static func script(_ shell: CompletionAnswer.Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    // Names are already quoted by the program, because Bash quotes only file names. If both can follow, all are quoted here.
    private static let bash = #"""
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

        """#

    private static let zsh = #"""
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

        """#

    private static let fish = #"""
        # Completion of @PROGRAM@ in fish. Made by "@PROGRAM@ completion fish".
        function __@FUNCTION@_complete
            set -l words (commandline -opc)
            set -l program $words[1]
            set -e words[1]
            set -l current (commandline -ct)
            set -l lines ($program @WORD@ fish $words "$current" 2>/dev/null)
            test (count $lines) -ge 3; or return
            set -l option $lines[2]
            printf '%s\n' $lines[4..-1]
            set -l found
            switch $lines[1]
                case folders
                    set found (__fish_complete_directories $lines[3] '')
                case files
                    set found (__fish_complete_path $lines[3])
                case 'files *'
                    set -l ending (string replace 'files *' '' -- $lines[1])
                    set found (__fish_complete_path $lines[3] | string match -r -- '^[^\t]*(?:/|'(string escape --style=regex -- $ending)')(?:\t.*)?$')
            end
            for item in $found
                echo -- $option$item
            end
        end
        complete -c @PROGRAM@ -f -a '(__@FUNCTION@_complete)'

        """#
}
