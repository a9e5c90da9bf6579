<?php
/** Prints what the plugin asks its own site with, to find page caches. */

define( 'ABSPATH', __DIR__ . '/' );
define( 'DAY_IN_SECONDS', 86400 );
function wp_salt() {
	return 'salt of the test';
}
require dirname( __DIR__ ) . '/ghostlight/includes/class-ghostlight-caches.php';
$question = new ReflectionMethod( 'Ghostlight_Caches', 'question' );
if ( PHP_VERSION_ID < 80100 ) {
	$question->setAccessible( true );
}
echo $question->invoke( null, time() . '.' . bin2hex( random_bytes( 8 ) ) );
