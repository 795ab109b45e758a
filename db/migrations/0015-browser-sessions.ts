/**
 * Browser sessions are calls: they wait for lines like dispatched phone calls and are talked, ended and processed like them. They have no
 * number, so that no do-not-disturb list knows them; they pass no trunk, so that they keep no trunk's pace and say nothing about its
 * failures; and nobody can be called back.
 */
import type { Knex } from 'knex';
import { editFunction, undoEdits } from './edit-function';

const COLUMNS = `
-- How the agent is to sound and to greet in a browser session, as its dispatch asked for it. Null of a phone call.
alter table calls add column session jsonb;`;

const START_DIAL_EDITS = [
  {
    before: `  if (case when k.campaign_id is null then not k.dnd_check_skipped else c.perform_dnd_check end) then`,
    after: `  if k.medium = 'telephony' and (case when k.campaign_id is null then not k.dnd_check_skipped else c.perform_dnd_check end) then`,
  },
  {
    before: `  if (p_guards->>'dialEveryMs')::numeric > 0 then`,
    after: `  if k.medium = 'telephony' and (p_guards->>'dialEveryMs')::numeric > 0 then`,
  },
];

const BEGIN_DIAL_EDITS = [
  {
    before: `'modifyAgent', k.modify_agent,`,
    after: `'modifyAgent', k.modify_agent, 'medium', k.medium,`,
  },
];

const COUNT_FOR_BRAKES_EDITS = [
  {
    before: `if k.asked_at is not null and p_carrier_failed is not null then`,
    after: `if k.medium = 'telephony' and k.asked_at is not null and p_carrier_failed is not null then`,
  },
];

const SCHEDULE_CALLBACK_EDITS = [
  {
    before: `if k.concluded_at is not null or`,
    after: `if k.medium = 'webrtc' or k.concluded_at is not null or`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(COLUMNS);
  await editFunction(knex, 'start_dial', START_DIAL_EDITS);
  await editFunction(knex, 'begin_dial', BEGIN_DIAL_EDITS);
  await editFunction(knex, 'count_for_brakes', COUNT_FOR_BRAKES_EDITS);
  await editFunction(knex, 'schedule_callback', SCHEDULE_CALLBACK_EDITS);
}

export async function down(knex: Knex): Promise<void> {
  await undoEdits(knex, 'schedule_callback', SCHEDULE_CALLBACK_EDITS);
  await undoEdits(knex, 'count_for_brakes', COUNT_FOR_BRAKES_EDITS);
  await undoEdits(knex, 'begin_dial', BEGIN_DIAL_EDITS);
  await undoEdits(knex, 'start_dial', START_DIAL_EDITS);
  await knex.raw('alter table calls drop column session');
}
