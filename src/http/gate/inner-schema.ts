/** What is inside of a schema: below optional, nullable and default, and among the forms of a union. */
import * as z from 'zod'

export function innerSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wrapped ? innerSchema(schema.def.innerType) : schema
}

/** The fields of an object, or those of all forms of a union. Of fields with one name the first counts. None of any other schema. */
export function shapeOf(schema: z.core.$ZodType | undefined): z.core.$ZodLooseShape {
  const field = schema === undefined ? undefined : innerSchema(schema)
  if (field instanceof z.ZodObject) return field.shape
  return field instanceof z.ZodUnion
    ? Object.assign(
        {},
        ...formsOf(field)
          .map(({ shape }) => shape)
          .toReversed(),
      )
    : {}
}

const formsOf = ({ options }: z.ZodUnion): z.ZodObject[] => options.filter((option) => option instanceof z.ZodObject)

/**
 * The form that an object with these fields is meant to be: the one whose own required field is among them. Where there is no such field it is
 * the one that knows most of them. `several`: they have the own fields of several forms. null: no form stands out.
 */
export function meantForm(union: z.ZodUnion, keys: readonly string[]): z.ZodObject | 'several' | null {
  const forms = formsOf(union)
  if (forms.length === 1) return forms[0] ?? null
  const isNamed = (form: z.ZodObject) => ownKeys(form, forms).some((key) => keys.includes(key))
  const [first, ...more] = forms.filter(isNamed)
  if (first !== undefined) return more.length === 0 ? first : 'several'
  const known = ({ shape }: z.ZodObject) => keys.filter((key) => Object.hasOwn(shape, key)).length
  const [best, next] = forms.toSorted((one, other) => known(other) - known(one))
  return best !== undefined && next !== undefined && known(best) > known(next) ? best : null
}

/** The required fields that no other form has. */
const ownKeys = (form: z.ZodObject, forms: readonly z.ZodObject[]): string[] =>
  Object.entries(form.shape).flatMap(([key, field]) =>
    z.safeParse(field, undefined).success || forms.some((other) => other !== form && Object.hasOwn(other.shape, key))
      ? []
      : key,
  )
