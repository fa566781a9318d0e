import type { ComponentProps } from 'react'
import { preload } from 'react-dom'
import type { Picture as StoredPicture } from '#contract/files/pictures.ts'
import { pictureSources, pictureUrl } from '#contract/files/renditions.ts'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'height'> & {
  picture: StoredPicture
  alt: string
  sizes: string
}

export function Picture({ picture, alt, sizes, ...rest }: PictureProps) {
  const webp = pictureSources(picture, 'webp')
  // React does this itself for an `img` outside of a `picture`. The header shows the same file before, as an icon.
  if (rest.fetchPriority === 'high')
    preload(pictureUrl(picture.id, '640.webp'), {
      as: 'image',
      type: 'image/webp',
      imageSrcSet: webp,
      imageSizes: sizes,
      fetchPriority: 'high',
    })
  return (
    <picture className="contents">
      <source type="image/webp" srcSet={webp} sizes={sizes} />
      <img
        src={pictureUrl(picture.id, '640.jpg')}
        srcSet={pictureSources(picture, 'jpg')}
        sizes={sizes}
        width={picture.width}
        height={picture.height}
        alt={alt}
        {...rest}
      />
    </picture>
  )
}
