/** Style sheets are bundled by esbuild; to the compiler an import of one brings nothing. */
declare module "*.css";
