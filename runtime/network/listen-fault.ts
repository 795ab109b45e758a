/** Why a process cannot listen on its port, and which variable to change: one sentence instead of the system's code. */
export function listenFault(cause: unknown, port: number, variable: string): Error {
  return new Error(sentence(cause, port, variable), { cause });
}

function sentence(cause: unknown, port: number, variable: string): string {
  const { code = '', message = String(cause) } = seen(cause);
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another process: set ${variable} to a free one`;
  if (code === 'EACCES')
    return `Port ${port} may not be opened by this user: set ${variable} to one above 1023`;
  return `Cannot listen on port ${port} (${variable}): ${message}`;
}

/** By shape: an error of Node's own is no instance of a sandbox's Error. */
const seen = (cause: unknown): { code?: string; message?: string } =>
  typeof cause === 'object' && cause !== null ? cause : {};
