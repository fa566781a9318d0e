// Bringing a picture, for the admin area.
import { createRoute } from '@hono/zod-openapi'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../audit/actor.ts'
import { uploadPicture } from './pictures.ts'
import { picture, pictureRequest } from './contract/pictures.ts'
import type { WithPictureReader } from './picture-reader.ts'

export type AdminPicturesApi = ReturnType<typeof adminPicturesApi>

export function adminPicturesApi(services: Services & WithPictureReader) {
  const add = createRoute({
    method: 'post',
    path: '/pictures',
    security: bearer,
    request: body(pictureRequest),
    responses: { 201: json(picture, 'The picture, as others refer to it'), ...refusal },
  })
  return createApi().openapi(add, async (c) => {
    const { upload_id } = c.req.valid('json')
    return c.json(await uploadPicture(services, actorOf(c, services), upload_id), 201)
  })
}
