/** Tests which sounds stop the agent's speech, in real-time conversations with scripted models. */
import { startModelStandIn } from '../../../dev/model-stand-in/server';
import { playInFakeRoom, SCENE_TIMEOUT_MS } from '../support/play-in-fake-room';
import type { SceneContext } from '../support/scene';

jest.setTimeout(SCENE_TIMEOUT_MS);

const LONG =
  'Hello, this is the clinic with a message about your check-up, which is on Friday at ten in the morning.';

/** The caller makes a sound during the greeting, and the recogniser returns `words` for it. */
async function overTheGreeting(
  soundMs: number,
  words: string,
  play: (stage: SceneContext) => Promise<void>,
): Promise<void> {
  const models = await startModelStandIn();
  await playInFakeRoom(
    {
      fields: [],
      title: 'speaks over the greeting',
      persona: { identity: { greeting_message: { agent_message: LONG } } },
      stt: [{ text: words }],
      llm: [{ text: 'Of course.' }],
      play: async (stage) => {
        await stage.until(
          () => stage.soundAtMs() !== null && stage.passedMs() > (stage.soundAtMs() ?? 0) + 500,
        );
        await stage.speak(soundMs);
        await play(stage);
      },
    },
    models,
  );
  await models.close();
}

test.each([
  ['a short "yes"', 400, 'Yes.'],
  ['a long "hm", which pauses it', 900, 'Hm.'],
  ['a cough without words', 900, ''],
])('lets the agent finish its speech despite %s', async (_what, ms, words) => {
  await overTheGreeting(ms, words, async ({ untilSaid, said }) => {
    await untilSaid(1);
    expect(said()).toEqual([expect.objectContaining({ speaker: 'agent', text: LONG })]);
    expect(said()[0]?.interrupted).toBeUndefined();
  });
});

test('stops the agent at words beyond a backchannel, and keeps unplayed words out of the transcript', async () => {
  await overTheGreeting(900, 'Wait, which Friday?', async ({ untilSaid, said }) => {
    await untilSaid(3);
    const [greeting, caller, answer] = said();
    expect(greeting).toMatchObject({ speaker: 'agent', interrupted: true });
    expect(LONG.startsWith(greeting?.text ?? '?')).toBe(true);
    expect(greeting?.text.length).toBeLessThan(LONG.length);
    expect([caller?.text, answer?.text]).toEqual(['Wait, which Friday?', 'Of course.']);
  });
});
