import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { readAgent } from '../../../agent/text/loaded-agent';
import { repositoryRoot } from '../../../dev/stack/repository';
import { readExampleAgents } from '../../../dev/talk/agents';
import { FRONT_DESK, QUESTIONS } from '../../../dev/talk/caller/verdict';
import { resolveConfig } from '../../../domain/agent-config';

test('includes example agents that create-agent and the text chat accept, with a prompt, a greeting and answers', async () => {
  const agents = await readExampleAgents(repositoryRoot());
  const files = readdirSync(join(repositoryRoot(), 'examples', 'agents'));
  expect(agents.map(({ name }) => name)).toEqual(['Front desk', 'Reminder', 'Survey']);
  expect(agents).toHaveLength(files.filter((file) => file.endsWith('.json')).length);
  for (const { body, name } of agents) {
    expect(readAgent(body, 'unnamed').name).toBe(name);
    const { persona, training } = resolveConfig(body.config);
    expect(persona.identity.system_prompt).not.toBe('');
    expect(persona.identity.greeting_message.agent_message).not.toBe('');
    expect(Object.keys(training.know_how.faq).length).toBeGreaterThan(2);
  }
});

test('asks only questions that the front desk can answer, and expects words from its answers', async () => {
  const desk = (await readExampleAgents(repositoryRoot())).find(({ name }) => name === FRONT_DESK);
  const answers = Object.values(resolveConfig(desk?.body.config ?? {}).training.know_how.faq).map((text) =>
    String(text).toLowerCase(),
  );
  const unanswered = QUESTIONS.filter(
    ({ answerHas }) => !answers.some((answer) => answerHas.every((word) => answer.includes(word))),
  );
  expect([QUESTIONS.length, unanswered]).toEqual([4, []]);
});
