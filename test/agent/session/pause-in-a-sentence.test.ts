/** Tests a caller who pauses in the middle of a sentence, in a whole conversation. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ipc } from '@livekit/agents';
import { samplesIn } from '../../../agent/audio/pcm';
import { endOfTurnInThisProcess } from '../../../dev/local-models/end-of-turn';
import { startModelStandIn } from '../../../dev/model-stand-in/server';
import { playInFakeRoom, SCENE_TIMEOUT_MS } from '../support/play-in-fake-room';

jest.setTimeout(SCENE_TIMEOUT_MS);

/** Longer than the silence after which a balanced agent answers. */
const PAUSE_MS = 800;
const WAV_HEADER_BYTES = 44;
/** Samples per second. Each sample has two bytes. */
const RATE = 16_000;

/** The file was recorded with Piper's voice en_US-joe-medium, whose recordings are CC0. */
async function recorded(name: string): Promise<Int16Array> {
  const file = await readFile(join(__dirname, 'sounds', `${name}.wav`));
  return new Int16Array(new Uint8Array(file.subarray(WAV_HEADER_BYTES)).buffer);
}

/** Loads the model before the conversation begins, like the agent's worker does. */
async function loadedModel(): Promise<ipc.InferenceExecutor> {
  const inference = endOfTurnInThisProcess();
  await inference.doInference('', { pcm: Buffer.alloc(2 * RATE).toString('base64') });
  return inference;
}

/** `turns` are the expected texts of the caller's turns. */
async function pauseMakes(turns: string[], withModel: boolean): Promise<void> {
  const [first, rest] = [
    await recorded('i-am-calling-because'),
    await recorded('my-invoice-seems-to-be-wrong'),
  ];
  const inference = withModel && { inference: await loadedModel() };
  const models = await startModelStandIn();
  await playInFakeRoom(
    {
      fields: [],
      title: 'waits for the rest of a sentence',
      ...inference,
      stt: [{ text: 'I am calling because' }, { text: 'my invoice seems to be wrong.' }],
      llm: [{ text: 'I see.' }],
      play: async ({ untilSaid, speak, said, until }) => {
        await untilSaid(1);
        await speak(first);
        await speak(new Int16Array(samplesIn(PAUSE_MS)));
        await speak(rest);
        const lastTurn = () => said().findLastIndex(({ speaker }) => speaker === 'user');
        await until(
          () => said()[lastTurn()]?.text.endsWith('wrong.') === true && said().length > lastTurn() + 1,
        );
        const ofCaller = said().filter(({ speaker }) => speaker === 'user');
        expect(ofCaller.map(({ text }) => text)).toEqual(turns);
      },
    },
    models,
  );
  await models.close();
}

test('waits for the rest of the sentence when the trained model is used', async () => {
  await pauseMakes(['I am calling because my invoice seems to be wrong.'], true);
});

test('treats the pause as the end of the turn when only silence decides', async () => {
  await pauseMakes(['I am calling because', 'my invoice seems to be wrong.'], false);
});
