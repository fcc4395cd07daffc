/** Every view, narrow and in Chinese, held to axe-core's rules. */
import { LOOKS, viewsHaveNoGraveFlaw } from './axe-views.ts'

viewsHaveNoGraveFlaw(LOOKS.slice(2))
