import { resolveConfig } from '../../domain/agent-config';
import { effectiveConfig, mergedConfig, templateVariables } from '../../domain/effective-config';

const stored = {
  persona: {
    identity: { system_prompt: 'Sell.', greeting_message: { agent_message: 'Hello.' } },
    metadata: { city: 'Pune' },
  },
  deployment: { phone: { call_type: { Outbound: ['+911111111111', '+912222222222'] } } },
};

test("without changes a call runs its agent's stored version", () => {
  expect(mergedConfig(stored, null)).toBe(stored);
  expect(mergedConfig(stored, {})).toEqual(stored);
});

test("a call's own changes win key by key, and leave the rest and the stored version as they were", () => {
  const before = structuredClone(stored);
  const changed = mergedConfig(stored, {
    persona: { identity: { system_prompt: 'Listen.' } },
    deployment: { phone: { call_type: { Outbound: ['+913333333333'] } } },
  });
  expect(changed).toEqual({
    persona: {
      identity: { system_prompt: 'Listen.', greeting_message: { agent_message: 'Hello.' } },
      metadata: { city: 'Pune' },
    },
    deployment: { phone: { call_type: { Outbound: ['+913333333333'] } } },
  });
  expect(stored).toEqual(before);
});

test('changes that cannot be merged safely are left out: the call runs the stored version', () => {
  expect(mergedConfig(stored, JSON.parse('{"persona": {"__proto__": {"polluted": true}}}'))).toBe(stored);
});

test.each([null, 'text', ['list'], 7])(
  'a stored version that is no object (%j) counts as empty',
  (version) => {
    expect(mergedConfig(version, null)).toEqual({});
    expect(mergedConfig(version, { persona: { metadata: { a: 1 } } })).toEqual({
      persona: { metadata: { a: 1 } },
    });
  },
);

test('what a call runs is that, resolved', () => {
  const change = { persona: { identity: { system_prompt: ' Listen. ' } } };
  expect(effectiveConfig(stored, change)).toEqual(resolveConfig(mergedConfig(stored, change)));
  expect(effectiveConfig(stored, change).persona.identity.system_prompt).toBe('Listen.');
});

describe('the variables of a call', () => {
  const config = {
    persona: resolveConfig({ persona: { metadata: { city: 'Pune', name: 'Desk' } } }).persona,
  };
  const named = (name: string | null, variables: Record<string, unknown> = {}) =>
    templateVariables(config, { variables, name });

  test("are the agent's own, over them those of the call, and the person's name", () => {
    expect(named('Asha', { city: 'Nashik', name: 'Ravi' })).toEqual({ city: 'Nashik', name: 'Asha' });
  });

  test("have of a call that names nobody the name among its own, and never the agent's", () => {
    expect(named(null, { name: 'Ravi' })).toEqual({ city: 'Pune', name: 'Ravi' });
    expect(named(null, { name: 7 })).toEqual({ city: 'Pune', name: null });
    expect(named(null)).toEqual({ city: 'Pune', name: null });
  });
});
