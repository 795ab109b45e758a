/** Runs the documentation's commands against a platform, as a user would paste them. */
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../../dev/remove-folder';
import { repositoryRoot } from '../../dev/stack/repository';
import { describeWith } from '../servers/availability';
import { given, openPlatform, writeGivenFiles } from './support/documents/given';
import { NOT_RUN } from './support/documents/not-run';
import { blockOf, commandsOf, documents, shownIn } from './support/documents/pages';
import { RUN_WITHIN_MS, Shell } from './support/documents/shell';
import { START_WITHIN_MS, type Platform } from './support/platform';

const ROOT = repositoryRoot();
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Documented options of npm scripts that this suite doesn't run, keyed by the command that prints their help. */
const OPTIONS = new Map<string, Set<string>>();
for (const command of NOT_RUN.keys()) {
  const [, script = '', words = '', rest = ''] =
    /npm (?:run )?([\w:]+) -- ((?:\w[\w-]* )*)(.*)/.exec(command) ?? [];
  const options: string[] = rest.match(/--[a-z-]+/g) ?? [];
  const program = scripts[script]?.split(' && ').at(-1);
  if (program === undefined) continue;
  const help = [program, words, ...options.filter((option) => option === '--spoken'), '--help'].join(' ');
  OPTIONS.set(help, new Set([...(OPTIONS.get(help) ?? []), ...options]));
}

/** Matches commands that end the call or campaign that earlier blocks use. */
const ENDS = /\b(?:workflow (?:cancel|terminate|reset)|campaign cancel|hangup)\b/;
/** Matches a command that needs a live call or its campaign. */
const OF_A_CALL = /\$(?:CALL|CAMPAIGN|DELIVERY|WORKFLOW)\b|<id>/;

/** Returns a page's runnable commands. A new group starts after a block that ends the call or campaign. */
function groupsOf(page: string): string[][] {
  const groups: string[][] = [[]];
  for (const shown of shownIn(page)) {
    groups.at(-1)?.push(...commandsOf(shown).filter((command) => !NOT_RUN.has(command)));
    if (shown.language === 'sh' && ENDS.test(shown.text)) groups.push([]);
  }
  return groups.filter((commands) => commands.length > 0);
}

describeWith('temporal', 'the documentation', () => {
  let platform: Platform;
  let shell: Shell;
  let env: NodeJS.ProcessEnv | undefined;

  beforeAll(async () => {
    platform = await openPlatform();
    shell = new Shell(platform.stack);
    writeGivenFiles(shell.folder);
  }, START_WITHIN_MS);
  afterAll(async () => {
    await platform.close();
    await removeFolder(shell.folder);
  });

  test.each(documents().filter((page) => groupsOf(page).length > 0))(
    'runs the commands of %s',
    async (page) => {
      for (const commands of groupsOf(page)) {
        const makesAcme = commands.some((command) => command.includes('org create --name'));
        if (makesAcme) env = await given(platform, 'Given');
        else if (env === undefined || commands.some((command) => OF_A_CALL.test(command)))
          env = await given(platform, 'Acme');
        await shell.run(commands, env);
      }
    },
    2 * RUN_WITHIN_MS,
  );

  test('accepts the actions from docs/agent-config.md for an agent', async () => {
    const organization = await platform.newOrganization();
    const actions = JSON.parse(blockOf('docs/agent-config.md', 'json'));
    const path = `/api/agent/${organization.agentId}/persona`;
    expect(await organization.patch(path, { actions })).toMatchObject({ status: 200 });
  });
});

test.each([...OPTIONS])('prints every option that the documentation uses: %s', async (help, options) => {
  const { stdout } = await promisify(exec)(help, { cwd: ROOT });
  expect([...options].filter((option) => !stdout.includes(option))).toEqual([]);
});
