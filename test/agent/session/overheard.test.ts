/** Which recogniser events remain of those over the agent's speech. */
import { ReadableStream } from 'node:stream/web';
import { stt } from '@livekit/agents';
import { withoutBackchannels, type OverAgent } from '../../../agent/session/turns/overheard';
import { OverlapWords } from '../../../agent/session/turns/overlap-words';

const heard = (type: stt.SpeechEventType, text: string): stt.SpeechEvent => ({
  type,
  alternatives: [{ text, language: 'en', startTime: 0, endTime: 0, confidence: 1 }] as never,
});

async function left(events: readonly stt.SpeechEvent[], more: Partial<OverAgent> = {}): Promise<string[]> {
  const over = {
    isAgentSpeaking: () => true,
    isQuiet: () => false,
    onWords: () => undefined,
    words: new OverlapWords({ first: 'en', second: null, detects: false }),
    spokenMs: () => 900,
    onDropped: () => undefined,
    ...more,
  };
  const texts: string[] = [];
  for await (const event of withoutBackchannels(ReadableStream.from(events), over))
    texts.push(typeof event === 'string' ? event : (event.alternatives?.[0]?.text ?? '-'));
  return texts;
}

const { FINAL_TRANSCRIPT, INTERIM_TRANSCRIPT, START_OF_SPEECH } = stt.SpeechEventType;

test('drops transcripts of backchannels over the agent, and keeps all other events', async () => {
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
    onDropped: () => heardOver.push('dropped'),
  };
  expect(await left(events, reports)).toEqual(['-', 'yes but', '', 'Stop.']);
  expect(heardOver).toEqual(['words', 'dropped', 'words']);
});

test('keeps words that become final after the agent has finished, as an answer', async () => {
  expect(await left([heard(FINAL_TRANSCRIPT, 'Yes.')], { isAgentSpeaking: () => false })).toEqual(['Yes.']);
});

test('drops words over the agent that come from a distant voice', async () => {
  const events = [heard(INTERIM_TRANSCRIPT, 'the news'), heard(FINAL_TRANSCRIPT, 'the news at ten')];
  expect(await left(events, { isQuiet: () => true })).toEqual([]);
  expect(await left(events, { isQuiet: () => true, isAgentSpeaking: () => false })).toHaveLength(2);
});

test('drops words in a sound that is too short for them, final or not, and keeps clear ones', async () => {
  let dropped = 0;
  const events = [heard(FINAL_TRANSCRIPT, 'And...'), heard(FINAL_TRANSCRIPT, 'Wait.')];
  const short = { spokenMs: () => 250, onDropped: () => (dropped += 1) };
  expect(await left(events, short)).toEqual(['Wait.']);
  expect(dropped).toBe(1);
  expect(await left(events, { ...short, isAgentSpeaking: () => false })).toHaveLength(2);
});
