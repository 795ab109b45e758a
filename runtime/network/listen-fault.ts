/** Explains why a process can't listen on its port, and which variable to change. */
export function listenFault(cause: unknown, port: number, variable: string): Error {
  return new Error(sentence(cause, port, variable), { cause });
}

function sentence(cause: unknown, port: number, variable: string): string {
  const { code = '', message = String(cause) } = seen(cause);
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Set ${variable} to a free port`;
  if (code === 'EACCES') return `This user can't open port ${port}. Set ${variable} to a port above 1023`;
  return `Cannot listen on port ${port} (${variable}): ${message}`;
}

/** Checks the shape instead of the class, because Node's errors aren't instances of a sandbox's Error. */
const seen = (cause: unknown): { code?: string; message?: string } =>
  typeof cause === 'object' && cause !== null ? cause : {};
