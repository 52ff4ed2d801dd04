/** Shells that there is a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell that there is a script for. */
export type Shell = (typeof SHELLS)[number];

/**
 * What a shell is told, so that it asks `trunnion __complete` for what fits: a line each, the word and what it means with
 * a tab between; the last line, `:0` or `:4`, says whether files fit too. kubectl's plugins answer in the same way.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: String.raw`# bash completion for trunnion: source <(trunnion completion bash)
_trunnion() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :0) compopt -o default ;;
      :*) ;;
      *) COMPREPLY+=("${'$'}{line%%$'\t'*}") ;;
    esac
  done < <(trunnion __complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _trunnion trunnion
`,
  zsh: String.raw`#compdef trunnion
# zsh completion for trunnion: trunnion completion zsh > "${'$'}{fpath[1]}/_trunnion"
_trunnion() {
  local line files
  local -a found
  while IFS= read -r line; do
    case $line in
      :0) files=1 ;;
      :*) ;;
      *) found+=("${'$'}{${'$'}{line//:/\\:}/$'\t'/:}") ;;
    esac
  done < <(trunnion __complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe trunnion found
  [[ -n $files ]] && _files
}
# Found in fpath, this file is the body of the function at its first call; sourced, it tells zsh of it.
if [[ $funcstack[1] == _trunnion ]]; then _trunnion; else compdef _trunnion trunnion; fi
`,
  fish: String.raw`# fish completion for trunnion: trunnion completion fish > ~/.config/fish/completions/trunnion.fish
function __trunnion_complete
    set -l words (commandline -opc) (commandline -ct)
    trunnion __complete -- $words[2..-1] 2>/dev/null | string match -rv '^:[04]$'
end
complete -c trunnion -f -a '(__trunnion_complete)'
complete -c trunnion -s f -l file -r -F
complete -c trunnion -l kinds -r -F
complete -c trunnion -l out -r -F
complete -c trunnion -n '__fish_seen_subcommand_from kind new' -F
`,
};
