/** The schema inside of optional, nullable and default. */
import * as z from 'zod'

export function innerSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wrapped ? innerSchema(schema.def.innerType) : schema
}
