/** Where a webhook event is on its way to its receiver. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Those that a delivery keeps until somebody asks for it again. */
export const SETTLED_STATUSES = ['failed', 'delivered'] as const satisfies readonly DeliveryStatus[];
export type SettledStatus = (typeof SETTLED_STATUSES)[number];
