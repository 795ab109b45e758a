import { isBuiltInDate, isDateFormat } from './number-format';
import { attribute, readXml } from './xml';

/** Returns a function that takes the index of a style and returns true if that style shows dates. */
export function dateStyles(bytes: Buffer): (style: number) => boolean {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  readXml(bytes, {
    open: (path, attributes) => {
      const id = Number(attribute(attributes, 'numFmtId') ?? 0);
      if (path === 'styleSheet/numFmts/numFmt') codes.set(id, attribute(attributes, 'formatCode') ?? '');
      else if (path === 'styleSheet/cellXfs/xf') formats.push(id);
    },
  });
  const isDate = (id: number): boolean => {
    const code = codes.get(id);
    return code === undefined ? isBuiltInDate(id) : isDateFormat(code);
  };
  const styles = formats.map(isDate);
  return (style) => styles[style] ?? false;
}
