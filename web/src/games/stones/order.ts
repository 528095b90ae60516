/** How early a newcomer may begin with this game: lower numbers come first. */
export default 3;
