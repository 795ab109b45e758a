import { contactFileOf } from '../../db/campaigns/campaigns';
import { contactsOfFile } from '../../db/campaigns/contacts';
import { contactFileKey } from '../dependencies/stored-files';
import { organizationIdOf } from '../http/auth/signed-query';
import { answersFile, byKey, byKeyOrSignature, endpoint, type Endpoint } from '../http/endpoint';
import { campaignNotFound, fileNotFound } from '../http/errors/refusals';
import { fileOfContacts } from './file-of-contacts';
import { campaignReport, REPORT_FORMATS } from './report';
import { about, defaulting, object } from '../http/schema/field';
import { oneOf } from '../http/schema/kinds';
import { campaignOf, campaignParams } from './campaign-target';
import type { RouteTools } from '../dependencies/route-tools';

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
};

const isFileType = (extension: string): extension is keyof typeof FILE_TYPES =>
  Object.hasOwn(FILE_TYPES, extension);

export const campaignFileEndpoints = (tools: RouteTools): Endpoint[] => [contactFile(tools), report(tools)];

const contactFile = ({ deps: { db, storage } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/file',
    tag: 'Campaigns',
    summary: 'Download the contact file',
    access: byKeyOrSignature,
    scope: 'read',
    input: { params: campaignParams },
    answer: answersFile('The file', 'text/csv', FILE_TYPES.xlsx, FILE_TYPES.xls),
    refusals: [campaignNotFound(), fileNotFound()],
    handle: async ({ params }, reader) => {
      const { campaign_id: campaignId } = params;
      const file = await contactFileOf(db, campaignId, organizationIdOf(reader));
      if (file === undefined) throw campaignNotFound();
      if (file.isPast) throw fileNotFound();
      if (file.key === null) {
        const content = fileOfContacts(file.columns, await contactsOfFile(db, campaignId));
        return { name: contactFileKey(campaignId, 'csv'), content, bytes: content.length };
      }
      const stored = await storage.read(file.key);
      if (stored === undefined) throw fileNotFound();
      return { name: file.key, ...stored };
    },
    present: ({ name, content, bytes }, { ctx }) => {
      const extension = name.slice(name.lastIndexOf('.') + 1);
      ctx.type = isFileType(extension) ? FILE_TYPES[extension] : 'application/octet-stream';
      ctx.attachment(`contacts-${name}`);
      ctx.set('Content-Length', String(bytes));
      return content;
    },
  });

const report = ({ deps }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/report',
    tag: 'Campaigns',
    summary: 'Download a report on every contact',
    description: 'Reflects the current state, also while the campaign is running.',
    access: byKey,
    scope: 'read',
    input: {
      params: campaignParams,
      query: object({ format: about(defaulting(oneOf(...REPORT_FORMATS), 'csv'), 'Format of the file') }),
    },
    answer: answersFile('The report', 'text/csv', FILE_TYPES.xlsx),
    refusals: [campaignNotFound()],
    handle: async ({ params, query }, organization) =>
      campaignReport(deps.db, await campaignOf(deps.db, params.campaign_id, organization.id), query.format),
    present: ({ stream, contentType, filename }, { ctx }) => {
      ctx.type = contentType;
      ctx.attachment(filename);
      return stream;
    },
  });
