<?php
/** A site with the plugin, as router of `php -S`. Without FINISHES it is a server that can't end an answer before its script ends. */

error_reporting( E_ALL );
set_error_handler(
	static function ( $level, $message, $file, $line ) {
		// What is silenced with @ stays so.
		if ( error_reporting() & $level ) {
			file_put_contents( getenv( 'SITE_DATABASE' ) . '.errors', "$message in $file:$line\n", FILE_APPEND );
		}
		return false;
	}
);
if ( getenv( 'FINISHES' ) ) {
	function fastcgi_finish_request() {
		return true;
	}
}
require __DIR__ . '/wordpress.php';

$path = explode( '?', $_SERVER['REQUEST_URI'], 2 )[0];
if ( '/test/options' === $path ) {
	// What a test sets up, and what it looks at: [name => value]; null deletes.
	foreach ( (array) json_decode( file_get_contents( 'php://input' ), true ) as $name => $value ) {
		null === $value ? delete_option( $name ) : update_option( $name, $value );
	}
	$shown = array();
	foreach ( $wpdb->get_results( 'SELECT option_name FROM wp_options' ) as $row ) {
		$shown[ $row->option_name ] = get_option( $row->option_name );
	}
	echo json_encode( $shown );
	return true;
}
if ( '/test/drop-table' === $path ) {
	$wpdb->query( 'DROP TABLE wp_ghostlight_visits' );
	return true;
}
if ( '/test/fill' === $path ) {
	// 1,998 further visits wait.
	$wpdb->query( "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1998) INSERT INTO wp_ghostlight_visits (visit) SELECT '{}' FROM n" );
	return true;
}
if ( 0 === strpos( $path, '/test/host/' ) ) {
	// A test's client sets no Host.
	$_SERVER['HTTP_HOST']   = $_SERVER['HTTP_X_TEST_HOST'];
	$_SERVER['REQUEST_URI'] = substr( $_SERVER['REQUEST_URI'], strlen( '/test/host' ) );
}
if ( isset( $_SERVER['HTTP_X_TEST_KEY'] ) ) {
	define( 'GHOSTLIGHT_KEY', $_SERVER['HTTP_X_TEST_KEY'] );
}
if ( 0 === strpos( $path, '/wp-json/' ) ) {
	define( 'REST_REQUEST', true );
}
// The seed decides whether a person's visit is drawn for the sample: 1 never, 106 always. Chance would fail one run in sixteen.
mt_srand( isset( $_SERVER['HTTP_X_TEST_DRAWN'] ) ? 106 : 1 );
register_shutdown_function(
	static function () {
		do_action( 'shutdown' );
	}
);
require dirname( __DIR__ ) . '/ghostlight/ghostlight.php';
if ( '/test/install' === $path ) {
	Ghostlight_Buffer::install();
	return true;
}
if ( '/test/save' === $path ) {
	// As WordPress does it with the form of the settings page.
	$test_messages = array();
	$form          = json_decode( file_get_contents( 'php://input' ), true );
	update_option( 'ghostlight_settings', Ghostlight_Settings_Page::sanitize( isset( $form['settings'] ) ? $form['settings'] : null ) );
	update_option( 'ghostlight_secret', Ghostlight_Settings_Page::sanitize_key( isset( $form['key'] ) ? $form['key'] : null ) );
	echo json_encode( $test_messages );
	return true;
}
if ( '/test/send' === $path ) {
	Ghostlight_Settings_Page::send_test();
	return true;
}
if ( '/test/page' === $path ) {
	settings_errors();
	Ghostlight_Settings_Page::remind();
	Ghostlight_Status_View::render();
	foreach ( array( 'url', 'key', 'attribution_id', 'address', 'manifest' ) as $name ) {
		call_user_func( array( 'Ghostlight_Settings_Page', 'render_' . $name ) );
	}
	return true;
}
do_action( 'init' );
if ( wp_doing_cron() ) {
	foreach ( get_option( 'cron', array() ) as $hook => $at ) {
		wp_unschedule_hook( $hook );
		do_action( $hook );
	}
	return true;
}
http_response_code( '/missing' === $path ? 404 : 200 );
echo '<!doctype html><title>A page</title>';
return true;
