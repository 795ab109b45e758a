/** Builds joi schemas from the domain's plain descriptions of data. */
import type { Shape, Shapes, ValueOf } from '../../../domain/shape';
import { assertNever } from '../../../domain/assert-never';
import { about, list, nullable, object, optional, typed, type Field, type Fields } from './field';
import { flag, id, integer, number, oneOf, text, timestamp } from './kinds';

export const fieldOf = <S extends Shape>(shape: S): Field<ValueOf<S>> => typed<ValueOf<S>>(schemaOf(shape));

export const fieldsOf = (shapes: Shapes): Fields =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, schemaOf(shape)]));

function schemaOf(shape: Shape): Field<unknown> {
  const plain = plainOf(shape);
  const meant = shape.meaning === undefined ? plain : about(plain, shape.meaning);
  const orNull = shape.nullable === true ? nullable(meant) : meant;
  return shape.optional === true ? optional(orNull) : orNull;
}

function plainOf(shape: Shape): Field<unknown> {
  switch (shape.type) {
    case 'text':
      return text();
    case 'id':
      return id();
    case 'timestamp':
      return timestamp();
    case 'flag':
      return flag();
    case 'integer':
      return integer(shape.min);
    case 'number':
      return number();
    case 'word':
      return oneOf(...shape.of);
    case 'texts':
      return list(text());
    case 'object':
      return objectOf(shape);
    case 'objects':
      return list(objectOf(shape));
    default:
      return assertNever(shape);
  }
}

const objectOf = ({ fields, name, open }: Extract<Shape, { fields: Shapes }>): Field<unknown> =>
  object(fieldsOf(fields), { ...(name !== undefined && { name }), ...(open && { open }) });
