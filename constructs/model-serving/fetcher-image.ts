import type { Construct } from 'constructs';
import { IMAGE } from '../parts/pod/schema.ts';
import { FETCHER_IMAGE_CONTEXT, NO_FETCHER_IMAGE } from '../parts/weights/index.ts';
import { SpecError } from '../schema/error.ts';

/**
 * Has the models of a scope that is empty yet fetched by this image, which has the fetcher in it; by the default where there
 * is none.
 */
export function setFetcherImage(scope: Construct, fetcherImage: string | undefined): void {
  if (fetcherImage !== undefined) scope.node.setContext(FETCHER_IMAGE_CONTEXT, fetcherImage);
}

/**
 * The image with the fetcher in it that the host has set for all models; undefined where that is `none`.
 *
 * @throws SpecError where it is no reference of an image
 */
export function fetcherImageOf(scope: Construct): string | undefined {
  const image: unknown = scope.node.tryGetContext(FETCHER_IMAGE_CONTEXT);
  if (image === undefined || image === '' || image === NO_FETCHER_IMAGE) return undefined;
  if (typeof image === 'string' && image.length <= 512 && IMAGE.test(image)) return image;
  const message = 'must be an image reference, for instance registry.example.com/trunnion-operator:0.1.0';
  throw new SpecError('the cdk8s context', [{ path: FETCHER_IMAGE_CONTEXT, message, got: JSON.stringify(image) }]);
}
