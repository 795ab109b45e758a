import {
  organizationsNamed,
  findOrganization,
  type Organization,
} from '../../db/organizations/organizations';
import type { Db } from '../../db/kernel/connection';
import { isUuid } from '../../domain/uuid';
import { UsageError } from './usage-error';

/** Finds an organization by its id, or by its name if that is unique. */
export async function requireOrganization(db: Db, idOrName: string): Promise<Organization> {
  if (isUuid(idOrName)) {
    const organization = await findOrganization(db, idOrName);
    if (organization !== undefined) return organization;
  }
  const [organization, ...others] = await organizationsNamed(db, idOrName.trim());
  if (organization === undefined) {
    throw new UsageError(
      isUuid(idOrName)
        ? `There is no organization with the id ${idOrName}`
        : 'There is no organization with this name. See "org list"',
    );
  }
  if (others.length === 0) return organization;
  throw new UsageError(`${others.length + 1} organizations have this name. Use the id from "org list"`);
}
