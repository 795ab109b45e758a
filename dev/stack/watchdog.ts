import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

export type Watchdog = {
  watch: (pid: number, stopSignal: NodeJS.Signals) => void;
  unwatch: (pid: number) => void;
  stop: () => void;
};

/**
 * A shell that outlives this process to stop its children. It reads their pids from standard input, which the system closes when this
 * process dies, even by kill -9. The shell then stops them in reverse order and kills each after 5 s. It needs 1 MB of memory, compared
 * with 40 MB for Node.
 */
const SCRIPT = `
trap '' INT TERM HUP
alive() {
  kill -0 "$1" 2>/dev/null || return 1
  case "$(cat "/proc/$1/stat" 2>/dev/null)" in *') Z '*) return 1 ;; esac
}
list=
while read -r operation pid signal; do
  if [ "$operation" = watch ]; then
    list="$pid:$signal $list"
  else
    kept=
    for entry in $list; do
      [ "\${entry%%:*}" = "$pid" ] || kept="$kept $entry"
    done
    list=$kept
  fi
done
for entry in $list; do
  pid=\${entry%%:*}
  kill -s "\${entry#*:}" "$pid" 2>/dev/null || continue
  waits=0
  while alive "$pid" && [ "$waits" -lt 50 ]; do
    sleep 0.1
    waits=$((waits + 1))
  done
  kill -s KILL -- "-$pid" 2>/dev/null
done
[ -z "$1" ] || rm -rf -- "$1"
`;

/** @param temporaryFolder removed after the children have stopped */
export function startWatchdog(temporaryFolder = ''): Watchdog {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', temporaryFolder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell, the next start still finds the processes through their pid files.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  const send = (line: string) => {
    if (shell.stdin.writable) shell.stdin.write(`${line}\n`);
  };
  return {
    watch: (pid, stopSignal) => send(`watch ${pid} ${stopSignal.replace('SIG', '')}`),
    unwatch: (pid) => send(`unwatch ${pid} -`),
    stop: () => shell.stdin.end(),
  };
}
