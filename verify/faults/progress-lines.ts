/** Prints lines with the name of the run and the time since its start. */
export function progressLines(run: string): (line: string) => void {
  const startedAt = performance.now();
  return (line) => {
    const seconds = (performance.now() - startedAt) / 1000;
    console.error(`${run}  ${seconds.toFixed(1).padStart(6)} s  ${line}`);
  };
}
