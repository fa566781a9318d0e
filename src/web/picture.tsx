import type { ComponentProps } from 'react'
import type { Picture as StoredPicture } from '#features/pictures/contract/pictures.ts'
import { pictureSources, pictureUrl } from '#features/pictures/contract/renditions.ts'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'height'> & {
  picture: StoredPicture
  alt: string
  sizes: string
}

export function Picture({ picture, alt, sizes, ...rest }: PictureProps) {
  return (
    <picture className="contents">
      <source type="image/webp" srcSet={pictureSources(picture, 'webp')} sizes={sizes} />
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
