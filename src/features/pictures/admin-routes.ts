// Bringing a picture, for the admin area.
import { body, created, createApi, route } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../audit/actor.ts'
import { uploadPicture } from './pictures.ts'
import { picture, pictureRequest } from './contract/pictures.ts'
import type { WithPictureReader } from './picture-reader.ts'

export type AdminPicturesApi = ReturnType<typeof adminPicturesApi>

export function adminPicturesApi(services: Services & WithPictureReader) {
  return createApi().openapi(
    route('post', '/pictures', {
      ...body(pictureRequest),
      returns: created(picture, 'The picture, as others refer to it'),
    }),
    async (c) => {
      const { upload_id } = c.req.valid('json')
      return c.json(await uploadPicture(services, actorOf(c, services), upload_id), 201)
    },
  )
}
