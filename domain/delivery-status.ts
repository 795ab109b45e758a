export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Statuses that only a redelivery can change. */
export const DONE_STATUSES = ['failed', 'delivered'] as const satisfies readonly DeliveryStatus[];
export type DoneStatus = (typeof DONE_STATUSES)[number];
