import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { Card } from '../../../components/card.tsx'
import { CardWarning } from './card-warning.tsx'
import { PictureDrop } from '../upload/picture-drop.tsx'
import { useSendFile } from '../upload/send-file.ts'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { useAdminCall } from '../use-admin-call.ts'

const api = adminClient<AdminProductsApi>()

export function Cover({ product: { id, name, cover, has_old_cover } }: { product: AdminProduct }) {
  const { sending, send, cancel } = useSendFile()
  const [isBusy, run] = useAdminCall()
  const param = { id }
  const failed = 'Couldn’t save the change'
  const description = 'It shows on the page from now on.'
  async function upload(file: File) {
    const upload_id = await send(file)
    return upload_id && responseOf(api.products[':id'].cover.$put({ param, json: { upload_id } }))
  }
  function save(file: File) {
    const done = (saved: unknown) => (saved ? { title: 'Cover saved', description } : undefined)
    void run(() => upload(file), { done, failed })
  }
  return (
    <Card
      title="Cover image"
      action={
        (cover || has_old_cover) && (
          <CallButton
            look="quiet"
            label="Remove"
            disabled={isBusy}
            question={{ title: 'Remove the cover?', action: 'Remove', isDanger: true }}
            call={() => api.products[':id'].cover.$delete({ param })}
            done={{ title: 'Cover removed', description }}
            failed={failed}
          >
            The page then shows this product as it is drawn around the book’s cover.
          </CallButton>
        )
      }
    >
      {has_old_cover && (
        <CardWarning>
          The page does not show this product’s picture: the file that an earlier version has stored could not
          be read so far. The shop tries again every hour. Upload the picture again, or remove it.
        </CardWarning>
      )}
      <div className="p-5">
        <PictureDrop
          picture={cover}
          alt={`The cover of ${name}`}
          label="Cover image"
          hint="Drop it here, or choose it: JPEG, PNG or WebP, 20 MB at most"
          onFile={save}
          sending={sending}
          onCancel={cancel}
        />
      </div>
    </Card>
  )
}
