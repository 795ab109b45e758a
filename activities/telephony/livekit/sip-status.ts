/** Maps the final SIP status of an INVITE to the end reason of an unanswered call. */
import type { SetupFault } from '../../../domain/breakers';
import type { CarrierEndReason } from '../../../domain/call-outcome';

const EXACT: Readonly<Record<number, CarrierEndReason>> = {
  404: 'invalid_number',
  // Incomplete, gone and ambiguous addresses, for which a redial does not help.
  410: 'invalid_number',
  484: 'invalid_number',
  485: 'invalid_number',
  604: 'invalid_number',
  408: 'no_answer',
  480: 'no_answer',
  // Ended by our CANCEL at the ring timeout.
  487: 'no_answer',
  486: 'busy',
  600: 'busy',
  603: 'rejected',
  // Unwanted, and rejected by an intermediary.
  607: 'rejected',
  608: 'rejected',
};

/** Other statuses are faults of the trunk. The call may succeed later or with another caller ID. */
export const endReasonOfSip = (status: number): CarrierEndReason => EXACT[status] ?? 'carrier_failure';

/** Returns the setup fault that a status shows. 403 may also concern only this number. */
export const setupFaultOfSip = (status: number): SetupFault | undefined => SETUP_FAULTS[status];

const SETUP_FAULTS: Readonly<Record<number, SetupFault>> = {
  401: 'trunk_login',
  403: 'trunk_forbids',
  407: 'trunk_login',
};
