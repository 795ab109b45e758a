import type { ListContact } from '../../db/contact-lists/contacts';
import type { ListImport } from '../../db/contact-lists/imports';
import type { ContactList } from '../../db/contact-lists/lists';
import { iso } from '../http/responses';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { address, freeObject, id, integer, text, timestamp } from '../http/schema/kinds';

export const contactList = object(
  {
    id: id(),
    name: text(),
    contacts: about(integer(0), 'Number of contacts'),
    created_at: timestamp(),
    updated_at: about(timestamp(), 'Time of the last change to the list or its contacts'),
  },
  { name: 'ContactList' },
);

export const presentList = ({
  id,
  name,
  contacts,
  createdAt,
  updatedAt,
}: ContactList): ValueOf<typeof contactList> => ({
  id,
  name,
  contacts,
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
});

export const listContact = object(
  {
    id: about(text(), 'Identifier of the contact', '4711'),
    external_id: about(nullable(text()), 'Your own id of the contact'),
    name: text(),
    phone_number: about(text(), 'E.164'),
    timezone: about(nullable(text()), 'IANA time zone. Null for the zones of the number'),
    language: nullable(text()),
    consent_at: about(nullable(timestamp()), 'When the person agreed to be called'),
    consent_source: nullable(text()),
    metadata: freeObject(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { name: 'ListContact' },
);

export const presentListContact = (contact: ListContact): ValueOf<typeof listContact> => ({
  id: String(contact.id),
  external_id: contact.externalId,
  name: contact.name,
  phone_number: contact.phoneNumber,
  timezone: contact.timezone,
  language: contact.language,
  consent_at: iso(contact.consentAt),
  consent_source: contact.consentSource,
  metadata: contact.metadata as ValueOf<typeof listContact>['metadata'],
  created_at: iso(contact.createdAt),
  updated_at: iso(contact.updatedAt),
});

export const listImport = object(
  {
    import_id: id(),
    added: about(integer(0), 'Number of new contacts'),
    updated: about(integer(0), 'Number of contacts that the list already had'),
    skipped: about(integer(0), 'Number of rows that were not stored'),
    skipped_by_reason: list(object({ reason: text(), count: integer(1) }, { name: 'SkippedByReason' })),
    skipped_rows: about(
      list(
        object(
          {
            row: about(integer(1), 'Row number in the file, or place in `contacts`, starting at 1'),
            column: about(nullable(text()), 'Null if the whole row is at fault'),
            reason: text(),
          },
          { name: 'SkippedRow' },
        ),
      ),
      'The first hundred',
    ),
    skipped_csv: about(
      nullable(address()),
      'Address of a CSV file with all skipped rows, kept for 7 days. Fetch it with the API key. Null if no row was skipped',
    ),
  },
  { name: 'ContactImport' },
);

export const presentImport = (
  { id, added, updated, skipped, skippedByReason, skippedRows }: ListImport,
  listId: string,
  publicUrl: string,
): ValueOf<typeof listImport> => ({
  import_id: id,
  added,
  updated,
  skipped,
  skipped_by_reason: skippedByReason,
  skipped_rows: skippedRows,
  skipped_csv: skipped === 0 ? null : `${publicUrl}/api/contact-lists/${listId}/imports/${id}/skipped.csv`,
});
