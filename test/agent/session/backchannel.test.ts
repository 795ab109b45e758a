/** What stops the agent, and what does not: words of a listener, with the models scripted. */
import { ReadableStream } from 'node:stream/web';
import { stt } from '@livekit/agents';
import { isBackchannel, withoutOverheard, type OverAgent } from '../../../agent/session/turns/backchannel';

test.each([
  ...[
    'Hm.',
    'Hmm',
    'Mhm',
    'Uh-huh.',
    'Yes.',
    'Yeah, yeah',
    'Okay.',
    'OK, right.',
    'I see',
    'Haan ji',
    'अच्छा',
    'ठीक है।',
    '...',
  ].map((words) => [words, true] as const),
  ...['', 'No.', 'Stop', 'Wait', 'Yes, but not today', 'Okay, what does it cost?', 'हाँ लेकिन', 'Oslo'].map(
    (words) => [words, false] as const,
  ),
])('%j is nothing but a backchannel: %s', (words, expected) => expect(isBackchannel(words)).toBe(expected));

const heard = (type: stt.SpeechEventType, text: string): stt.SpeechEvent => ({
  type,
  alternatives: [{ text, language: 'en', startTime: 0, endTime: 0, confidence: 1 }] as never,
});

async function left(events: readonly stt.SpeechEvent[], more: Partial<OverAgent> = {}): Promise<string[]> {
  const over = {
    isAgentSpeaking: () => true,
    isQuiet: () => false,
    onWords: () => undefined,
    onBackchannel: () => undefined,
    ...more,
  };
  const texts: string[] = [];
  for await (const event of withoutOverheard(ReadableStream.from(events), over))
    texts.push(typeof event === 'string' ? event : (event.alternatives?.[0]?.text ?? '-'));
  return texts;
}

const { FINAL_TRANSCRIPT, INTERIM_TRANSCRIPT, START_OF_SPEECH } = stt.SpeechEventType;

test('over the agent, transcripts of backchannels are left out, and all other events stay', async () => {
  const heardOver: string[] = [];
  const events = [
    { type: START_OF_SPEECH },
    heard(INTERIM_TRANSCRIPT, 'yes'),
    heard(INTERIM_TRANSCRIPT, 'yes but'),
    heard(FINAL_TRANSCRIPT, 'Okay.'),
    heard(FINAL_TRANSCRIPT, ''),
    heard(FINAL_TRANSCRIPT, 'Stop.'),
  ];
  const reports = {
    onWords: () => heardOver.push('words'),
    onBackchannel: () => heardOver.push('backchannel'),
  };
  expect(await left(events, reports)).toEqual(['-', 'yes but', '', 'Stop.']);
  expect(heardOver).toEqual(['words', 'backchannel', 'words']);
});

test('what is final when the agent has finished is an answer', async () => {
  expect(await left([heard(FINAL_TRANSCRIPT, 'Yes.')], { isAgentSpeaking: () => false })).toEqual(['Yes.']);
});

test('words over the agent that the remote party has not said are left out: a distant voice has', async () => {
  const events = [heard(INTERIM_TRANSCRIPT, 'the news'), heard(FINAL_TRANSCRIPT, 'the news at ten')];
  expect(await left(events, { isQuiet: () => true })).toEqual([]);
  expect(await left(events, { isQuiet: () => true, isAgentSpeaking: () => false })).toHaveLength(2);
});
