/** Indents a JSON body for display and returns other text unchanged. Signatures cover the original text. */
export function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
