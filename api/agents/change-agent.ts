import { SECTION_NAMES, type SectionName } from '../../domain/agent-config';
import { isJsonObject, type JsonObject } from '../../domain/json';
import { sectionSchemas, validateSection, withoutForbiddenTransfers } from './config';
import type { TransferRules } from '../../domain/transfer';
import { MAXIMA } from '../../domain/agent-config/maxima';
import { removeAgent, updateSection } from './update-section';
import { answers, byKey, endpoint, type Body, type Endpoint, type RequestExample } from '../http/endpoint';
import { agentNotFound, numberInUse, numberNotYours, quotaRefusal } from '../http/errors/refusals';
import { assertRoom, bytesOf } from '../http/limits';
import { uncheckedJsonBody } from '../http/input/json-body';
import { uuidParam } from '../http/input/path';
import { done } from '../http/resources/done';
import { sectionUpdated } from './resource';
import { about, object } from '../http/schema/field';
import { oneOf } from '../http/schema/kinds';
import { uuid } from '../http/input/fields';
import type { RouteTools } from '../dependencies/route-tools';

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

export const changeAgentEndpoints = (tools: RouteTools): Endpoint[] => [
  ...SECTION_NAMES.map((section) => updatingSection(tools, section)),
  unknownSection,
  archiving(tools),
];

const updatingSection = ({ deps }: RouteTools, section: SectionName) =>
  endpoint({
    method: 'patch',
    path: `/api/agent/:agent_id/${section}`,
    tag: 'Agents',
    summary: `Update an agent's ${section} section`,
    description:
      'Deep merge: only the sent keys change, arrays are replaced, and null restores a default. A call keeps the configuration with which it started.',
    access: byKey,
    scope: 'configure',
    input: {
      params: uuidParam('agent_id', 'Identifier of the agent'),
      body: sectionBody(section, deps.settings),
    },
    answer: answers('The section is updated', sectionUpdated),
    refusals:
      section === 'deployment'
        ? [agentNotFound(), numberNotYours(), numberInUse(), quotaRefusal()]
        : [agentNotFound(), quotaRefusal()],
    handle: async ({ params, body }, organization) => {
      await assertRoom(deps, organization, { agent_bytes: bytesOf(body) });
      await updateSection(
        deps,
        { agentId: params.agent_id, organizationId: organization.id, actor: organization.actor },
        { section, change: body },
      );
    },
    present: () => {
      const name = section.charAt(0).toUpperCase() + section.slice(1);
      return { success: true, message: `${name} section updated successfully` } as const;
    },
  });

function sectionBody(section: SectionName, rules: TransferRules): Body<JsonObject> {
  const schema = sectionSchemas[section];
  const wrapped = object({ deployment: sectionSchemas.deployment }, { name: 'DeploymentUpdate' });
  return {
    content: { 'application/json': section === 'deployment' ? wrapped : schema },
    examples: { [section]: EXAMPLES[section] },
    read: async (ctx) => {
      // `validateSection` finds everything that `jsonBody` would.
      const body = await uncheckedJsonBody(ctx, { mostValues: MAXIMA.values });
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

/** An unknown section is a 422, like any other invalid value. */
const unknownSection = endpoint({
  method: 'patch',
  path: '/api/agent/:agent_id/:section',
  hidden: true,
  tag: 'Agents',
  summary: 'Always fails, because there is no such section',
  access: byKey,
  scope: 'configure',
  input: {
    params: object({ agent_id: uuid(), section: about(oneOf(...SECTION_NAMES), 'Name of the section') }),
  },
  answer: answers('Never', sectionUpdated),
  handle: () => {
    throw agentNotFound();
  },
  present: (never: never) => never,
});

const archiving = ({ deps }: RouteTools) =>
  endpoint({
    method: 'delete',
    path: '/api/agent/:agent_id',
    tag: 'Agents',
    summary: 'Archive an agent',
    description: 'The agent is unknown from then on. Its campaigns continue with its last configuration.',
    access: byKey,
    scope: 'configure',
    input: { params: uuidParam('agent_id', 'Identifier of the agent') },
    answer: answers('The agent is archived', done),
    refusals: [agentNotFound()],
    handle: ({ params }, organization) =>
      removeAgent(deps, {
        agentId: params.agent_id,
        organizationId: organization.id,
        actor: organization.actor,
      }),
    present: () => ({ success: true }) as const,
  });
