/**
 * The Python client, alone and against the real app. This is a long test because the machine may have to
 * install Python first.
 */
import { execFile, type ExecFileException } from 'node:child_process';
import { join } from 'node:path';
import { published } from '../../servers/published';
import { describeWith } from '../../servers/availability';
import { CaptionsRig } from '../support/captions-rig';
import { FakeMedia } from '../support/conversation';
import { newEstate } from '../support/estate';
import { answerChecker, type Document } from '../support/openapi-answers';
import { operationsOf, pathOf } from '../support/operations';
import type { TestApi } from '../support/test-api';
import { isDownload, requestsOf } from './requests';

const FOLDER = join(__dirname, '../../../sdk/python');

/** mypy parses its packages anew in each run. */
jest.setTimeout(180_000);

interface Run {
  status: number | string;
  stdout: string;
  stderr: string;
}

/** Runs Python without blocking this process, because the app runs in this process too. */
function python(args: string[], { program = published('TEST_PYTHON'), input = '' } = {}): Promise<Run> {
  const env = { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' };
  return new Promise((resolve) => {
    const options = { cwd: FOLDER, env, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, args, options, (error: ExecFileException | null, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? 'killed'), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

describeWith('mypy', 'the types of the Python client', () => {
  const mypy = (...args: string[]): Promise<Run> =>
    python(['-m', 'mypy', '--strict', '--python-version', '3.11', '--cache-dir', '/dev/null', ...args], {
      program: published('TEST_MYPY'),
    });

  test('passes mypy in strict mode', async () => {
    const { status, stdout } = await mypy('voice_agent_platform');
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^Success: no issues found in \d+ source files/),
    ]);
  });

  test("rejects a field that the response doesn't have", async () => {
    const read = (field: string): string =>
      `from voice_agent_platform.generated import CampaignCompletedEvent\n` +
      `def read(event: CampaignCompletedEvent) -> object:\n    return event["${field}"]\n`;
    expect(await mypy('-c', read('campaign_name'))).toMatchObject({ status: 0 });
    const { status, stdout } = await mypy('-c', read('campaign_title'));
    expect([status, stdout]).toEqual([1, expect.stringContaining('has no key "campaign_title"')]);
  });
});

describeWith('python', 'the Python client', () => {
  test('passes its own tests', async () => {
    const { status, stderr } = await python(['-m', 'unittest', 'tests/test_client.py']);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Ran 1\d tests/m)]);
  });

  describe('against the app', () => {
    let media: FakeMedia;
    let rig: CaptionsRig;
    let api: TestApi;
    let document: Document;

    beforeAll(async () => {
      media = await FakeMedia.open();
      rig = await CaptionsRig.open({}, { livekit: media.settings });
      ({ api } = rig);
      document = (await api.ask('/api/openapi.json')).body;
    });
    afterAll(async () => {
      await rig.close();
      await media.close();
    });

    test('performs every operation of the document and gets the documented responses', async () => {
      const owner = await api.newOrganization();
      const estate = await newEstate(api, owner, { name: 'Zubeida', firstNumber: '9876543200' });
      const callId = await rig.live();
      await rig.say(callId, 0);
      await rig.end(callId);
      const talking = { agent_id: estate.agents.running, organization_id: owner.id };
      const requests = requestsOf(document, estate, await media.newConversation(api, talking));
      const given = {
        base_url: api.url,
        api_key: owner.key,
        captions: rig.addressOf(callId),
        requests: requests.map((request) => ({ ...request, is_download: isDownload(request) })),
      };
      const { status, stdout, stderr } = await python(['tests/every_operation.py'], {
        input: JSON.stringify(given),
      });
      expect([status, stderr]).toEqual([0, '']);
      const { answers, listed, frames } = JSON.parse(stdout);
      const check = answerChecker(document);
      const operations = operationsOf(document);
      expect(answers).toHaveLength(operations.length);
      for (const [index, request] of requests.entries()) {
        const { status: answered, type, body } = answers[index];
        const operation = operations.find(
          ({ method, path }) => method === request.method.toUpperCase() && path === request.template,
        );
        if (operation === undefined) throw new Error(`${request.template} is not a documented operation`);
        const at = pathOf(operation, request.path);
        const where = `${request.method} ${at}: ${answered} ${JSON.stringify(body).slice(0, 300)}`;
        expect([where, check(request.method, at, answered, type, body)]).toEqual([where, []]);
      }
      const { body: agents } = await api.ask('/api/agents', { as: owner });
      expect(listed).toEqual(agents.map(({ id }: { id: string }) => id));
      expect(frames.map(({ type }: { type: string }) => type)).toEqual([
        'connected',
        'history',
        'call_ended',
      ]);
      expect(frames[1].segments).toMatchObject([{ text: 'said at 0', seq: 1 }]);
    });
  });
});
