/** Widths of the sidebar in pixels, open and collapsed. */
export const WIDE_PX = 200;
export const NARROW_PX = 60;
