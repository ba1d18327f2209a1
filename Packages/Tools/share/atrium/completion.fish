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
