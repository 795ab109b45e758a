import { randomUUID } from 'node:crypto';
import { findImport } from '../../db/contact-lists/imports';
import type { Shares } from '../../runtime/shares';
import type { ApiDependencies } from '../dependencies';
import { fileRefused } from '../campaigns/create';
import type { ApiClient } from '../http/auth/api-key';
import { shareTaken } from '../http/errors/refusals';
import { idempotent, type IdempotentAnswer } from '../http/idempotency';
import type { UploadedFile } from '../http/input/uploads';
import type { ValueOf } from '../http/schema/field';
import { addContacts, assertMayAdd, givenContacts } from './add-contacts';
import { readListFile } from './list-file';
import { presentImport, type listImport } from './present';
import type { ContactsToAdd } from './schema';

type ImportBody = ValueOf<typeof listImport>;

export interface ListAddition {
  listId: string;
  /** `Idempotency-Key`. */
  key: string | null;
  given: ContactsToAdd;
  organization: ApiClient;
}

/** @throws ApiError 404 for an unknown list, 400 for a file that can't be read */
export async function addToList(
  deps: ApiDependencies,
  imports: Shares,
  { listId, key, given, organization }: ListAddition,
): Promise<IdempotentAnswer<ImportBody>> {
  const { db, settings } = deps;
  const present = (result: Parameters<typeof presentImport>[0]): ImportBody =>
    presentImport(result, listId, settings.publicUrl);
  if ('file' in given) {
    await assertMayAdd(deps, { listId, organization });
    const result = await imports.run(organization.id, () =>
      addFile(deps, { listId, importId: randomUUID(), organization }, given.file),
    );
    if (result === null) throw shareTaken();
    return { body: present(result), replayed: false };
  }
  const owner = { listId, organizationId: organization.id };
  return idempotent(deps, {
    organization,
    key,
    operation: 'contact_list.contacts',
    input: { listId, contacts: given.contacts },
    newId: () => randomUUID(),
    run: async (importId) => {
      await assertMayAdd(deps, { listId, organization });
      return addContacts(
        deps,
        { listId, importId, organization },
        givenContacts(given.contacts, phoneRules(deps)),
      );
    },
    recover: (id) => findImport(db, owner, id),
    present,
  });
}

export const phoneRules = ({
  settings: { allowedCountries, allowedNumberTypes },
}: Pick<ApiDependencies, 'settings'>) => ({ allowedCountries, allowedNumberTypes });

async function addFile(
  deps: ApiDependencies,
  target: Parameters<typeof addContacts>[1],
  file: UploadedFile,
): ReturnType<typeof addContacts> {
  const pieces = await readListFile(file, phoneRules(deps));
  if ('code' in pieces) throw fileRefused(pieces);
  return addContacts(deps, target, pieces);
}
