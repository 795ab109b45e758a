import type { Knex } from 'knex';
import * as tables from './0001-tables';
import * as lines from './0002-lines';
import * as audit from './0003-audit';
import * as listTotals from './0004-list-totals';
import * as operators from './0005-operators';
import * as requestGuards from './0006-request-guards';
import * as campaignEdits from './0007-campaign-edits';
import * as contactColumns from './0008-contact-columns';
import * as dialGuards from './0009-dial-guards';
import * as completionMail from './0010-completion-mail';
import * as dndRegistry from './0012-dnd-registry';
import * as callbacks from './0013-callbacks';
import * as inbound from './0014-inbound';
import * as browserSessions from './0015-browser-sessions';
import * as outboundTurns from './0016-outbound-turns';
import * as recordings from './0017-recordings';
import * as liveCaptions from './0018-live-captions';
import * as analysis from './0019-analysis';
import * as retention from './0020-retention';

/** In order, and never changed once released: a change is a new migration. */
const migrations: Record<string, Knex.Migration> = {
  '0001-tables': tables,
  '0002-lines': lines,
  '0003-audit': audit,
  '0004-list-totals': listTotals,
  '0005-operators': operators,
  '0006-request-guards': requestGuards,
  '0007-campaign-edits': campaignEdits,
  '0008-contact-columns': contactColumns,
  '0009-dial-guards': dialGuards,
  '0010-completion-mail': completionMail,
  '0012-dnd-registry': dndRegistry,
  '0013-callbacks': callbacks,
  '0014-inbound': inbound,
  '0015-browser-sessions': browserSessions,
  '0016-outbound-turns': outboundTurns,
  '0017-recordings': recordings,
  '0018-live-captions': liveCaptions,
  '0019-analysis': analysis,
  '0020-retention': retention,
};

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => {
    const migration = migrations[name];
    return migration === undefined
      ? Promise.reject(new Error(`no migration is called ${name}`))
      : Promise.resolve(migration);
  },
};
