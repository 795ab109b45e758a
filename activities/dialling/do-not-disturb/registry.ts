/** A register of numbers that nobody may call, kept by somebody else: a country's, or a company's own. */
export interface DndRegistry {
  /**
   * Whether the number, in E.164, must not be called. One question: it neither remembers answers nor asks again later.
   * @throws RegistryUnavailable when there is no usable answer in time
   */
  isListed(phoneNumber: string): Promise<boolean>;
}

/** Its message and causes are for logs: neither names the number. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}
