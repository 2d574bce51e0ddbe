/**
 * What stands behind `signalbox completion bash`. The library's own needs the package bash-completion, gives each word to
 * `eval`, which runs what somebody has only begun to type, cannot be read twice, and never offers a file.
 */
export const bashCompletion = `# bash completion for signalbox
_signalbox() {
  local line="\${COMP_LINE:0:COMP_POINT}" out value word cur before
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  COMPREPLY=()
  (( \${#words[@]} > 1 )) || return 0
  cur="\${words[\${#words[@]} - 1]}"
  # Bash cuts words at = and : as well, and wants what follows the last cut.
  word="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$word" == [=:] ]] && word=""
  before="\${cur%"$word"}"
  out="$("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)" || return 0
  while IFS= read -r value; do
    value="\${value%%$'\\t'*}"
    [[ -n "$value" && "$value" != :[0-9]* ]] || continue
    # After --name= values are offered, and options as they are.
    if [[ "$value" == "$cur"* ]]; then COMPREPLY+=("\${value#"$before"}")
    elif [[ "$cur" == -*=* && "$value" == "\${cur#*=}"* ]]; then COMPREPLY+=("$value")
    fi
  done <<< "$out"
  return 0
}
# Where nothing is offered, a file.
complete -o default -F _signalbox signalbox
`;
