import { resolveConfig } from '../../domain/agent-config';
import { effectiveConfig, mergedConfig, templateVariables } from '../../domain/effective-config';

const stored = {
  persona: {
    identity: { system_prompt: 'Sell.', greeting_message: { agent_message: 'Hello.' } },
    metadata: { city: 'Pune' },
  },
  deployment: { phone: { call_type: { Outbound: ['+911111111111', '+912222222222'] } } },
};

test("returns the agent's stored version for a call without changes", () => {
  expect(mergedConfig(stored, null)).toBe(stored);
  expect(mergedConfig(stored, {})).toEqual(stored);
});

test("merges a call's changes key by key, without changing the stored version", () => {
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

test("ignores changes that can't be merged safely", () => {
  expect(mergedConfig(stored, JSON.parse('{"persona": {"__proto__": {"polluted": true}}}'))).toBe(stored);
});

test.each([null, 'text', ['list'], 7])(
  'treats a stored version that is not an object (%j) as empty',
  (version) => {
    expect(mergedConfig(version, null)).toEqual({});
    expect(mergedConfig(version, { persona: { metadata: { a: 1 } } })).toEqual({
      persona: { metadata: { a: 1 } },
    });
  },
);

test('resolves the merged configuration', () => {
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

  test("are the agent's, overridden by the call's and by the person's name", () => {
    expect(named('Asha', { city: 'Nashik', name: 'Ravi' })).toEqual({ city: 'Nashik', name: 'Asha' });
  });

  test("without a person's name take it from the call's variables, never from the agent's", () => {
    expect(named(null, { name: 'Ravi' })).toEqual({ city: 'Pune', name: 'Ravi' });
    expect(named(null, { name: 7 })).toEqual({ city: 'Pune', name: null });
    expect(named(null)).toEqual({ city: 'Pune', name: null });
  });
});
