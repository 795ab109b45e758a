import { answeredNumber } from '../contact-file';

const NOT_AFTER_MS = 3000;
const RING_TIMEOUT_S = 30;
const MAX_TALK_S = 120;

/** Returns the textbook program's carrier request for a call to the nth contact, which is answered and talks to the end. */
export function callRequest(
  nth: number,
  { reference, eventsUrl }: { reference: string | undefined; eventsUrl: string },
): object {
  return {
    reference,
    to: `+91${answeredNumber(nth)}`,
    from: null,
    not_after: new Date(Date.now() + NOT_AFTER_MS).toISOString(),
    ring_timeout_s: RING_TIMEOUT_S,
    max_talk_s: MAX_TALK_S,
    amd: false,
    events_url: eventsUrl,
    agent: {
      name: 'Asha',
      greeting: 'Namaste, this is Asha.',
      prompt: '1. Ask "Is this a good time?"',
    },
    variables: {},
  };
}
