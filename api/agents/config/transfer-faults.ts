import type { AgentConfig } from '../../../domain/agent-config';
import { isJsonObject } from '../../../domain/json';
import { destinationsIn, readTransferDestination, type TransferRules } from '../../../domain/transfer';
import type { InputFault } from '../../http/errors/api-error';
import { ENOUGH_FAULTS } from '../../http/input/faults';
import type { Validated } from './validate';

/**
 * Rejects a configuration, or a change of one, that names a forbidden transfer destination. `locOf` returns the path of a section in the
 * request. A list that changes later is checked again at the time of the transfer.
 */
export function withoutForbiddenTransfers<T>(
  checked: Validated<T>,
  sectionsOf: (value: T) => AgentConfig,
  { rules, locOf }: { rules: TransferRules; locOf: (section: string) => readonly (string | number)[] },
): Validated<T> {
  if ('faults' in checked) return checked;
  const sections = sectionsOf(checked.value);
  const faults = (['persona', 'training'] as const).flatMap((name): InputFault[] => {
    const section = sections[name];
    return (isJsonObject(section) ? destinationsIn(name, section) : []).flatMap(({ place, to }) => {
      const reading = readTransferDestination(to, rules);
      if (!('fault' in reading)) return [];
      return [{ loc: [...locOf(name), ...place], msg: reading.fault, type: 'transfer.destination' }];
    });
  });
  return faults.length > 0 ? { faults: faults.slice(0, ENOUGH_FAULTS) } : checked;
}
