export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Statuses that only a redelivery can change. */
export const SETTLED_STATUSES = ['failed', 'delivered'] as const satisfies readonly DeliveryStatus[];
export type SettledStatus = (typeof SETTLED_STATUSES)[number];
