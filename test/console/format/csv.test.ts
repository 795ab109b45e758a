import { previewOf } from '../../../console/src/format/csv';

describe('the first rows of a contact file', () => {
  test.each([
    ['commas', 'name,phone\nAsha,1\n'],
    ['semicolons', 'name;phone\r\nAsha;1\r\n'],
    ['tabs', 'name\tphone\rAsha\t1'],
    ['a byte order mark', '\ufeffname,phone\nAsha,1'],
    ['blank rows', 'name,phone\n\n,\nAsha,1\n'],
  ])('are read with %s', (_what, text) => {
    expect(previewOf(text, 5)).toEqual({ header: ['name', 'phone'], rows: [['Asha', '1']] });
  });

  test('keep delimiters, quotes and line ends that stand in quotes', () => {
    const text = 'name,phone\n"Rao, ""Asha""\nof Pune",1\n';
    expect(previewOf(text, 5)?.rows).toEqual([['Rao, "Asha"\nof Pune', '1']]);
  });

  test('are no more than asked for, and none of a file without any', () => {
    expect(previewOf('name\na\nb\nc\n', 2)?.rows).toEqual([['a'], ['b']]);
    expect(previewOf('\n\n', 2)).toBeNull();
  });
});
