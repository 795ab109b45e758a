/** Path parameter and request bodies of the agent endpoints. */
import type { AgentConfig, SectionName } from '../../domain/agent-config';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { isJsonObject, type JsonObject } from '../../domain/json';
import type { TransferRules } from '../../domain/transfer';
import type { Body, RequestExample } from '../http/endpoint';
import { uuidParam } from '../http/input/fields';
import { check } from '../http/schema/validate';
import { anything, notBlank } from '../http/schema/kinds';
import { jsonBody, uncheckedJsonBody } from '../http/input/json-body';
import { about, nullable, object, optional, type Field } from '../http/schema/field';
import {
  agentConfig,
  sectionSchemas,
  validateAgentConfig,
  validateSection,
  withoutForbiddenTransfers,
} from './config/validate';

export const agentParams = uuidParam('agent_id', 'Identifier of the agent');

export interface NewAgentInput {
  displayName: string;
  config: AgentConfig;
}

const displayName = (): Field<string> =>
  about(notBlank(255), 'Human-readable name. The slug agent_name is derived from it', 'Check-up reminder');

const CREATE_AGENT = object({ agent_display_name: displayName(), config: optional(anything()) });

const DOCUMENTED = object(
  {
    agent_display_name: displayName(),
    config: about(optional(nullable(agentConfig)), 'Sections of the configuration, all optional'),
  },
  { name: 'CreateAgent' },
);

export const newAgentBody = (rules: TransferRules): Body<NewAgentInput> => ({
  content: { 'application/json': DOCUMENTED },
  examples: {
    reminder: {
      summary: 'A reminder agent',
      value: {
        agent_display_name: 'Check-up reminder',
        config: {
          persona: {
            identity: {
              system_prompt: 'You remind patients of their check-up. Ask which day suits them.',
              greeting_message: { agent_message: 'Hello {{name}}, this is the clinic in {{city}}.' },
            },
          },
          analysis: {
            extraction: {
              data_collection: {
                enabled: true,
                data_points: [{ name: 'day', prompt: 'Which weekday suits the patient?', nullable: true }],
              },
            },
          },
        },
      },
    },
    empty: { summary: 'An agent with just a name', value: { agent_display_name: 'Empty' } },
  },
  /** Reports faults of the name and of the configuration together. */
  read: async (ctx) => {
    const body = await jsonBody(ctx, { maxValues: MAXIMA.values, checkedApart: ['config'] });
    const fields = check(CREATE_AGENT, body, 'body');
    const config = withoutForbiddenTransfers(validateAgentConfig(body.config), (sections) => sections, {
      rules,
      locOf: (section) => ['body', 'config', section],
    });
    if ('faults' in fields || 'faults' in config) {
      return { faults: [fields, config].flatMap((part) => ('faults' in part ? part.faults : [])) };
    }
    return { value: { displayName: fields.value.agent_display_name.trim(), config: config.value } };
  },
});

const EXAMPLES: Record<SectionName, RequestExample> = {
  persona: {
    summary: 'Change the greeting',
    value: { identity: { greeting_message: { agent_message: 'Namaste {{name}}.', agent_speech_delay: 1 } } },
  },
  training: {
    summary: 'Add an answer and set the guardrail level',
    value: { know_how: { faq: { 'Are you open on Sunday?': 'No.' }, guardrails: { level: 'strict' } } },
  },
  experience: {
    summary: 'Limit the call duration',
    value: { settings: { call_settings: { max_call_duration: 5, max_duration_enabled: true } } },
  },
  analysis: {
    summary: 'Add a data point',
    value: {
      extraction: {
        data_collection: {
          enabled: true,
          data_points: [{ name: 'day', prompt: 'Which weekday suits the patient?', nullable: true }],
        },
      },
    },
  },
  deployment: {
    summary: 'Set the outbound numbers',
    value: { deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } } },
  },
};

export function sectionBody(section: SectionName, rules: TransferRules): Body<JsonObject> {
  const schema = sectionSchemas[section];
  const wrapped = object({ deployment: sectionSchemas.deployment }, { name: 'DeploymentUpdate' });
  return {
    content: { 'application/json': section === 'deployment' ? wrapped : schema },
    examples: { [section]: EXAMPLES[section] },
    read: async (ctx) => {
      // `validateSection` finds everything that `jsonBody` would.
      const body = await uncheckedJsonBody(ctx, { maxValues: MAXIMA.values });
      if (section === 'deployment' && !isJsonObject(body.deployment)) {
        const msg = 'is required and must be an object that contains the section';
        return { faults: [{ loc: ['body', 'deployment'], msg, type: 'any.required' }] };
      }
      const checked = validateSection({ name: section, section: body, loc: ['body'] });
      return withoutForbiddenTransfers(checked, (value) => ({ [section]: value }), {
        rules,
        locOf: () => ['body'],
      });
    },
  };
}
