/** The schema inside of optional, nullable and default. */
import * as z from 'zod'

/** Of several forms the object that knows most of these fields. undefined: no form is an object. */
export function closestForm({ options }: z.ZodUnion, keys: readonly string[]): z.ZodObject | undefined {
  const unknown = ({ shape }: z.ZodObject) => keys.filter((key) => !Object.hasOwn(shape, key)).length
  const objects = options.filter((one) => one instanceof z.ZodObject)
  return objects.toSorted((one, other) => unknown(one) - unknown(other)).at(0)
}

export function innerSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wrapped ? innerSchema(schema.def.innerType) : schema
}
