/** Tests that speech is still recognised in a phone call whose noise is suppressed by the default settings. */
import { startModelStandIn } from '../../../dev/model-stand-in/server';
import { playInFakeRoom, SCENE_TIMEOUT_MS } from '../support/play-in-fake-room';

jest.setTimeout(SCENE_TIMEOUT_MS);

test('recognises phone speech after noise suppression', async () => {
  const models = await startModelStandIn();

  await playInFakeRoom(
    {
      fields: [],
      title: 'suppresses noise',
      settings: { noiseSuppression: 'phone' },
      stt: [{ text: 'When are you open?' }],
      llm: [{ text: 'Until six.' }],
      play: async ({ untilSaid, speak, said }) => {
        await untilSaid(1);
        await speak(900);
        await untilSaid(3);
        expect(said().map(({ text }) => text)).toEqual(['Hi Asha.', 'When are you open?', 'Until six.']);
      },
    },
    models,
  );
  await models.close();
});
