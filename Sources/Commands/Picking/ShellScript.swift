/// A script that makes a shell use `listd pick`.
enum ShellScript: Sendable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.posix + Self.bashScript
    case .zsh: Self.posix + Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// What bash and zsh share.
  private static let posix = #"""
    # Key bindings of listd pick: Ctrl-R, Ctrl-T, Alt-C, and ** before Tab.

    __listd_pick() {
      FZF_DEFAULT_OPTS="--height ${FZF_TMUX_HEIGHT:-40%} --layout reverse ${FZF_DEFAULT_OPTS-}" listd pick "$@"
    }

    # Prints the chosen files, quoted, with a blank after each.
    __listd_files() {
      local opts=${FZF_CTRL_T_OPTS-} item
      if [ -n "${FZF_CTRL_T_COMMAND-}" ]; then
        FZF_DEFAULT_COMMAND=$FZF_CTRL_T_COMMAND FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} $opts" \
          __listd_pick --multi </dev/tty
      else
        FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} $opts" __listd_pick --multi --files .
      fi | while IFS= read -r item; do
        printf '%q ' "$item"
      done
    }

    # Prints the folders below one.
    __listd_list_folders() {
      command find -L "${1:-.}" -mindepth 1 \( -name '.?*' -o -fstype proc -o -fstype sysfs \) -prune \
        -o -type d -print 2>/dev/null | sed 's|^\./||'
    }

    __listd_folder() {
      if [ -n "${FZF_ALT_C_COMMAND-}" ]; then
        eval "$FZF_ALT_C_COMMAND"
      else
        __listd_list_folders
      fi | FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} ${FZF_ALT_C_OPTS-}" __listd_pick +m
    }

    # Prints what replaces a word before **: folders for cd, otherwise files.
    __listd_complete() {
      local word=$2 folder=. query=$2
      case $word in
      */*)
        folder=${word%/*}
        query=${word##*/}
        [ -n "$folder" ] || folder=/
        ;;
      esac
      case $folder in "~") folder=$HOME ;; "~/"*) folder=$HOME/${folder#"~/"} ;; esac
      case $1 in
      cd | pushd | rmdir) __listd_list_folders "$folder" | __listd_pick +m --query "$query" ;;
      *) __listd_pick --multi --query "$query" --files "$folder" ;;
      esac | while IFS= read -r item; do
        printf '%q ' "$item"
      done
    }


    """#

  private static let bashScript = #"""
    __listd_history() {
      local chosen
      chosen=$(
        HISTTIMEFORMAT= history | sed 's/^ *\([0-9]*\)[* ] */\1\t/' |
          awk -F '\t' '{ line[NR] = $0; text = substr($0, index($0, "\t") + 1); last[text] = NR }
            END { for (n = 1; n <= NR; n++) { t = substr(line[n], index(line[n], "\t") + 1); if (last[t] == n) print line[n] } }' |
          FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} ${FZF_CTRL_R_OPTS-}" \
            __listd_pick +m --tac --tiebreak index -d '\t' --with-nth 2.. \
            --bind ctrl-r:toggle-sort --query "$READLINE_LINE"
      ) || return
      READLINE_LINE=${chosen#*$'\t'}
      READLINE_POINT=${#READLINE_LINE}
    }

    __listd_insert_files() {
      local chosen=$(__listd_files)
      READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$chosen${READLINE_LINE:READLINE_POINT}
      READLINE_POINT=$((READLINE_POINT + ${#chosen}))
    }

    __listd_cd() {
      local folder
      folder=$(__listd_folder) && printf 'builtin cd -- %q' "$folder"
    }

    # Completes a word that ends with **, and otherwise as before.
    __listd_tab() {
      local before=${READLINE_LINE:0:READLINE_POINT} after=${READLINE_LINE:READLINE_POINT} word chosen
      word=${before##*[[:space:]]}
      if [[ $word == *'**' ]]; then
        chosen=$(__listd_complete "${before%%[[:space:]]*}" "${word%'**'}")
        if [[ -n $chosen ]]; then
          before=${before%"$word"}$chosen
          READLINE_LINE=$before$after
          READLINE_POINT=${#before}
        fi
        bind '"\C-x\C-z": ""'
      else
        bind '"\C-x\C-z": complete'
      fi
    }

    if [[ $- == *i* ]]; then
      bind -m emacs-standard -x '"\C-r": __listd_history'
      bind -m vi-insert -x '"\C-r": __listd_history'
      bind -m vi-command -x '"\C-r": __listd_history'
      bind -m emacs-standard -x '"\C-t": __listd_insert_files'
      bind -m vi-insert -x '"\C-t": __listd_insert_files'
      bind -m emacs-standard '"\ec": " \C-b\C-k \C-u`__listd_cd`\e\C-e\er\C-m\C-y\C-h\e \C-y\ey\C-x\C-x\C-d"'
      bind '"\er": redraw-current-line'
      bind '"\e\C-e": shell-expand-line'
      bind -m emacs-standard -x '"\C-x\C-t": __listd_tab'
      bind -m vi-insert -x '"\C-x\C-t": __listd_tab'
      bind -m emacs-standard '"\t": "\C-x\C-t\C-x\C-z"'
      bind -m vi-insert '"\t": "\C-x\C-t\C-x\C-z"'
    fi

    """#

  private static let zshScript = #"""
    if [[ -o interactive ]]; then
      listd-history-widget() {
        emulate -L zsh
        local chosen
        chosen=$(fc -rl 1 | awk '{ number = $1; sub(/^ *[0-9]+\*? */, ""); if (!seen[$0]++) print number "\t" $0 }' |
          FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} ${FZF_CTRL_R_OPTS-}" \
            __listd_pick +m --tiebreak index -d '\t' --with-nth 2.. \
            --bind ctrl-r:toggle-sort --query "$LBUFFER")
        if [[ -n $chosen ]]; then
          zle vi-fetch-history -n ${chosen%%$'\t'*}
        fi
        zle reset-prompt
      }
      zle -N listd-history-widget
      bindkey '^R' listd-history-widget

      listd-file-widget() {
        LBUFFER+=$(__listd_files)
        zle reset-prompt
      }
      zle -N listd-file-widget
      bindkey '^T' listd-file-widget

      listd-cd-widget() {
        local folder=$(__listd_folder)
        if [[ -n $folder ]]; then
          zle push-line
          BUFFER="builtin cd -- ${(q)folder}"
          zle accept-line
        fi
        zle reset-prompt
      }
      zle -N listd-cd-widget
      bindkey '\ec' listd-cd-widget

      # Completes a word that ends with **, and otherwise as before.
      listd-tab-widget() {
        local word=${LBUFFER##*[[:space:]]} chosen
        if [[ $word == *'**' ]]; then
          chosen=$(__listd_complete "${LBUFFER%%[[:space:]]*}" "${word%'**'}")
          if [[ -n $chosen ]]; then
            LBUFFER=${LBUFFER%"$word"}$chosen
          fi
          zle reset-prompt
        else
          zle ${__listd_before_tab:-expand-or-complete}
        fi
      }
      __listd_before_tab=${$(bindkey '^I')[(w)2]}
      [[ $__listd_before_tab != listd-tab-widget ]] || __listd_before_tab=
      zle -N listd-tab-widget
      bindkey '^I' listd-tab-widget
    fi

    """#

  private static let fishScript = #"""
    # Key bindings of listd pick: Ctrl-R, Ctrl-T, Alt-C, and ** before Tab.

    function __listd_pick
      set -lx FZF_DEFAULT_OPTS "--height 40% --layout reverse $FZF_DEFAULT_OPTS"
      listd pick $argv
    end

    function __listd_history
      set -lx FZF_DEFAULT_OPTS "$FZF_DEFAULT_OPTS $FZF_CTRL_R_OPTS"
      history -z | __listd_pick +m --read0 --print0 --tiebreak index --bind ctrl-r:toggle-sort \
        --query (commandline | string collect) | read -lz chosen
      and commandline -- (string trim --right --chars=\n -- $chosen)
      commandline -f repaint
    end

    function __listd_files
      set -lx FZF_DEFAULT_OPTS "$FZF_DEFAULT_OPTS $FZF_CTRL_T_OPTS"
      if set -q FZF_CTRL_T_COMMAND; and test -n "$FZF_CTRL_T_COMMAND"
        eval $FZF_CTRL_T_COMMAND | __listd_pick --multi
      else
        __listd_pick --multi --files .
      end | while read -l item
        commandline -i -- (string escape -- $item)" "
      end
      commandline -f repaint
    end

    function __listd_list_folders
      command find -L $argv[1] -mindepth 1 \( -name '.?*' -o -fstype proc -o -fstype sysfs \) -prune \
        -o -type d -print 2>/dev/null | string replace -r '^\./' ''
    end

    function __listd_cd
      set -lx FZF_DEFAULT_OPTS "$FZF_DEFAULT_OPTS $FZF_ALT_C_OPTS"
      set -l folder
      if set -q FZF_ALT_C_COMMAND; and test -n "$FZF_ALT_C_COMMAND"
        eval $FZF_ALT_C_COMMAND | __listd_pick +m | read folder
      else
        __listd_list_folders . | __listd_pick +m | read folder
      end
      and test -n "$folder"; and cd -- $folder
      commandline -f repaint
    end

    # Completes a word that ends with **, and otherwise as before.
    function __listd_tab
      set -l word (commandline -t)
      if not string match -q -- '***' "$word"x; or not string match -q -- '*\*\*' "$word"
        commandline -f complete
        return
      end
      set -l start (string replace -r -- '\*\*$' '' "$word")
      set -l folder .
      set -l query $start
      if string match -q -- '*/*' $start
        set folder (string replace -r -- '/[^/]*$' '' $start)
        set query (string replace -r -- '.*/' '' $start)
        test -n "$folder"; or set folder /
      end
      set folder (string replace -r -- '^~' $HOME $folder)
      set -l chosen
      switch (commandline -po)[1]
        case cd pushd rmdir
          set chosen (__listd_list_folders $folder | __listd_pick +m --query "$query")
        case '*'
          set chosen (__listd_pick --multi --query "$query" --files $folder)
      end
      test -n "$chosen"; and commandline -t -- (string join ' ' -- (string escape -- $chosen))" "
      commandline -f repaint
    end

    for mode in default insert
      bind -M $mode \cr __listd_history
      bind -M $mode \ct __listd_files
      bind -M $mode \ec __listd_cd
      bind -M $mode \t __listd_tab
    end

    """#
}
