/** What the end of an unanswered call means, by the SIP status that the callee's side answered the INVITE with. */
import type { SetupFault } from '../../../domain/brakes';
import type { CarrierEndReason } from '../../../domain/call-outcome';

const EXACT: Readonly<Record<number, CarrierEndReason>> = {
  404: 'invalid_number',
  // Incomplete, gone and ambiguous addresses: dialling again finds the same.
  410: 'invalid_number',
  484: 'invalid_number',
  485: 'invalid_number',
  604: 'invalid_number',
  408: 'no_answer',
  480: 'no_answer',
  // Ended by the CANCEL that the ring timeout sends.
  487: 'no_answer',
  486: 'busy',
  600: 'busy',
  603: 'rejected',
  // Unwanted, and rejected by somebody who answers in the callee's name.
  607: 'rejected',
  608: 'rejected',
};

/** What has no meaning for the callee is the trunk's fault: it may work later, or over another number of ours. */
export const endReasonOfSip = (status: number): CarrierEndReason => EXACT[status] ?? 'carrier_failure';

/** Some statuses show a fault in the set-up of the trunk. 403 may also be about the one number. */
export const setupFaultOfSip = (status: number): SetupFault | undefined => SETUP_FAULTS[status];

const SETUP_FAULTS: Readonly<Record<number, SetupFault>> = {
  401: 'trunk_login',
  403: 'trunk_forbids',
  407: 'trunk_login',
};
