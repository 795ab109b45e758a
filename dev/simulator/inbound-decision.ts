export type InboundDecision = { accept: true; reference: string } | { accept: false; say: string | null };

/** Reads the platform's response to an `inbound` event. Anything but a clear acceptance is a rejection. */
export function decideInbound(body: string): InboundDecision {
  const answer = parse(body);
  if (typeof answer !== 'object' || answer === null) return { accept: false, say: null };
  const fields = new Map<string, unknown>(Object.entries(answer));
  const reference = fields.get('reference');
  if (fields.get('accept') === true && typeof reference === 'string' && reference !== '') {
    return { accept: true, reference };
  }
  const say = fields.get('say');
  return { accept: false, say: typeof say === 'string' ? say : null };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
