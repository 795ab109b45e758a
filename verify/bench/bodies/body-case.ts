export interface BodyCase {
  name: string;
  method: 'POST' | 'PATCH' | 'PUT';
  path: string;
  contentType: string;
  body: () => Buffer;
}

export const MIB = 2 ** 20;
export const JSON_TYPE = 'application/json';

/** Just below the limit of a body, with room for what stands around it. */
export const MOST_BYTES = MIB - 4096;

export const repeated = (item: string, count: number): string =>
  `[${Array<string>(count).fill(item).join(',')}]`;

/** As many entries as a body has room for. */
export const full = (item: string, bytes = MOST_BYTES): string =>
  repeated(item, Math.floor(bytes / (item.length + 1)));

export const keyed = (count: number, value: string, prefix = 'k'): string =>
  `{${Array.from({ length: count }, (_none, at) => `"${prefix}${at}":${value}`).join(',')}}`;

export const outbound = (list: string) => `{"phone":{"call_type":{"Outbound":${list}}}}`;
export const dataPoints = (list: string) => `{"extraction":{"data_collection":{"data_points":${list}}}}`;
export const dispositions = (list: string) => `{"evaluations":{"dispositions":{"prompt_based":${list}}}}`;
export const rules = (list: string) => `{"know_how":{"guardrails":{"custom_rules":${list}}}}`;
export const faq = (map: string) => `{"know_how":{"faq":${map}}}`;
export const wrapped = (section: string) => `{"deployment":${section}}`;

export const json = (
  method: BodyCase['method'],
  path: string,
  name: string,
  body: () => string,
): BodyCase => ({
  name,
  method,
  path,
  contentType: JSON_TYPE,
  body: () => Buffer.from(body()),
});
