/** The schema beneath optional, nullable and default. */
import * as z from 'zod'

export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wrapped ? bare(schema.def.innerType) : schema
}
